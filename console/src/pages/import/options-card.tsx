import { type ConflictPolicy, conflictPolicies } from '../../../../src/imports.ts';
import { Checks, SelectField } from '../../ui/field.tsx';
import type { Choice } from './choice.ts';

const policies: Record<ConflictPolicy, string> = {
  update: 'Update them with what the row says',
  skip: 'Leave them as they are',
  fail: 'Reject the row',
};

export function OptionsCard({ choice, onChoice }: { choice: Choice; onChoice: (choice: Choice) => void }) {
  const on = [...(choice.keepsColumns ? ['keeps'] : []), ...(choice.lenient ? ['lenient'] : [])];
  return (
    <section class="card" aria-labelledby="import-options">
      <h2 id="import-options">Options</h2>
      <SelectField
        label="If a person is there already with other values"
        value={choice.policy}
        choices={conflictPolicies.map((policy) => [policy, policies[policy]] as const)}
        onValue={(value) => onChoice({ ...choice, policy: conflictPolicies.find((one) => one === value) ?? 'update' })}
      />
      <Checks
        label="Values"
        choices={[
          ['keeps', 'Keep other columns as attributes', 'Up to 50, named after their headings.'],
          ['lenient', 'Leave out bad values', 'Keeps the person, and leaves out a bad value if it is optional.'],
        ]}
        chosen={on}
        onChosen={(next) =>
          onChoice({ ...choice, keepsColumns: next.includes('keeps'), lenient: next.includes('lenient') })
        }
      />
    </section>
  );
}
