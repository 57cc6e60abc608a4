import { curlFor, type Request } from '../../curl.ts';
import { Code } from '../../ui/curl.tsx';
import { wholeInclude, type WholePerson } from '../contacts/person.ts';
import { CopyIcon } from './copy-icon.tsx';
import { pathOf } from './held.ts';

interface AboutProps {
  chatbotId: string;
  contactId: string;
  person: WholePerson;
  done: Request | undefined;
}

export function About({ chatbotId, contactId, person, done }: AboutProps) {
  const get: Request = { method: 'GET', path: pathOf(chatbotId, contactId), query: { include: wholeInclude } };
  return (
    <section class="card" aria-labelledby="about-title">
      <h2 id="about-title">About</h2>
      <dl class="facts">
        <div>
          <dt>Id</dt>
          <dd>
            <code>{person.id}</code>
            <CopyIcon text={person.id} what="Id" />
          </dd>
        </div>
        <Moment label="Created" time={person.created_at} />
        <Moment label="Changed last" time={person.updated_at} />
      </dl>
      <h3>{done ? 'Your last change, with curl' : 'Do the same with curl'}</h3>
      <Code code={curlFor(done ?? get)} />
    </section>
  );
}

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

function Moment({ label, time }: { label: string; time: string | null }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{time === null ? 'Not known' : <time dateTime={time}>{whole.format(new Date(time))}</time>}</dd>
    </div>
  );
}
