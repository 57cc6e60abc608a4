import { useSession } from '../../session.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { exactly } from '../../ui/time.tsx';
import { contactAddress } from '../contacts/view.ts';
import type { Sheet } from './held.ts';

export function About({ chatbotId, person }: Sheet) {
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
      {can('contacts:write') && (
        <div class="row">
          <ButtonLink icon="security" href={`${contactAddress(chatbotId, person.id)}/privacy`}>
            Privacy request
          </ButtonLink>
        </div>
      )}
    </Card>
  );
}
