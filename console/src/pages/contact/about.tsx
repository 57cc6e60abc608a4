import { curlFor } from '../../curl.ts';
import { useSession } from '../../session.tsx';
import type { ContactProperties } from '../../types.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Curl } from '../../ui/curl.tsx';
import { wholeInclude, type WholePerson } from '../contacts/person.ts';
import { contactAddress } from '../contacts/view.ts';

interface AboutProps {
  chatbotId: string;
  contactId: string;
  person: WholePerson;
  /** The properties that were changed last. */
  done: ContactProperties | undefined;
}

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function About({ chatbotId, contactId, person, done }: AboutProps) {
  const { can } = useSession();
  const input = { chatbotId, contactId };
  const code = done
    ? curlFor('updateContact', { ...input, properties: done })
    : curlFor('retrieveContact', { ...input, include: wholeInclude });
  return (
    <Card title="About">
      <dl class="facts">
        <div>
          <dt>Id</dt>
          <dd>
            <code>{person.id}</code>
            <CopyButton isIcon text={person.id} label="Copy Id" />
          </dd>
        </div>
        {Object.entries({ Created: person.created_at, Changed: person.updated_at }).map(([label, time]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{time === null ? 'Not known' : <time dateTime={time}>{whole.format(new Date(time))}</time>}</dd>
          </div>
        ))}
      </dl>
      <div class="row">
        {can('contacts:write') && (
          <ButtonLink icon="security" href={`${contactAddress(chatbotId, contactId)}/privacy`}>
            Privacy request
          </ButtonLink>
        )}
      </div>
      <Curl title={done ? 'Your last change with curl' : 'Do the same with curl'} code={code} />
    </Card>
  );
}
