import type { ConflictPolicy } from '../../../../src/imports.ts';
import { Checks, SelectField } from '../../ui/field.tsx';
import type { Choice } from './choice.ts';

const policies: Record<ConflictPolicy, string> = {
  update: 'Update it',
  skip: 'Keep it as it is',
  fail: 'Reject the row',
};

export function OptionsCard({ choice, onChoice }: { choice: Choice; onChoice: (choice: Choice) => void }) {
  const on = (['keepsColumns', 'lenient'] as const).filter((name) => choice[name]);
  return (
    <section class="card" aria-labelledby="import-options">
      <h2 id="import-options">Options</h2>
      <SelectField
        label="If a contact already exists"
        value={choice.policy}
        choices={policies}
        onValue={(policy) => onChoice({ ...choice, policy })}
      />
      <Checks
        label="Values"
        choices={[
          ['keepsColumns', 'Keep other columns as attributes', 'Up to 50, named after their headings.'],
          ['lenient', 'Skip invalid values', 'Imports the contact without them, instead of rejecting the row.'],
        ]}
        chosen={on}
        onChosen={(next) =>
          onChoice({ ...choice, keepsColumns: next.includes('keepsColumns'), lenient: next.includes('lenient') })
        }
      />
    </section>
  );
}
