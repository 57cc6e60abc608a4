import { curlFor } from '../../curl.ts';
import type { ContactProperties } from '../../types.ts';
import { Code } from '../../ui/curl.tsx';
import { wholeInclude, type WholePerson } from '../contacts/person.ts';
import { CopyIcon } from './copy-icon.tsx';

interface AboutProps {
  chatbotId: string;
  contactId: string;
  person: WholePerson;
  /** The properties that were changed last. */
  done: ContactProperties | undefined;
}

export function About({ chatbotId, contactId, person, done }: AboutProps) {
  const input = { chatbotId, contactId };
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
      <Code
        code={
          done
            ? curlFor('updateContact', { ...input, properties: done })
            : curlFor('retrieveContact', { ...input, include: wholeInclude })
        }
      />
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
