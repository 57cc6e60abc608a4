import { curlFor } from '../../curl.ts';
import type { ContactProperties } from '../../types.ts';
import { Card } from '../../ui/card.tsx';
import { Curl } from '../../ui/curl.tsx';
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
    <Card title="About">
      <dl class="facts">
        <div>
          <dt>Id</dt>
          <dd>
            <code>{person.id}</code>
            <CopyIcon text={person.id} what="Id" />
          </dd>
        </div>
        <Moment label="Created" time={person.created_at} />
        <Moment label="Changed" time={person.updated_at} />
      </dl>
      <Curl
        title={done ? 'Your last change with curl' : 'Do the same with curl'}
        code={
          done
            ? curlFor('updateContact', { ...input, properties: done })
            : curlFor('retrieveContact', { ...input, include: wholeInclude })
        }
      />
    </Card>
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
