import { Card } from '../../ui/card.tsx';
import { nameOf } from './choice.ts';
import type { Looked } from './look.ts';

/** The first people as they are read, and what is wrong with the first rows. */
export function Preview({ looked: { people, rejected } }: { looked: Looked }) {
  return (
    <Card title="Preview">
      {people.length === 0 && <p class="soft">No row can be read as a contact yet.</p>}
      <div class="tiles">
        {people.map(({ line, values }) => (
          <dl class="import-person stack tight well" key={line} aria-label={`Line ${line}`}>
            {values.map(([field, text]) => (
              <div key={field}>
                <dt>{nameOf(field)}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        ))}
      </div>
      {rejected.length > 0 && (
        <ul class="soft small">
          {rejected.map(({ line, reason }) => (
            <li key={line}>
              Line {line}: {reason}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
