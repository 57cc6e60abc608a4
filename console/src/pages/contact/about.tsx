import { useSession } from '../../session.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { exactly } from '../../ui/time.tsx';
import type { WholePerson } from '../contacts/person.ts';
import { contactAddress } from '../contacts/view.ts';

interface AboutProps {
  chatbotId: string;
  contactId: string;
  person: WholePerson;
}

export function About({ chatbotId, contactId, person }: AboutProps) {
  const { can } = useSession();
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
            <dd>{time === null ? 'Not known' : <time dateTime={time}>{exactly(new Date(time))}</time>}</dd>
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
    </Card>
  );
}
