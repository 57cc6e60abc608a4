import type { ConflictPolicy } from '../../../../src/imports.ts';
import { Card } from '../../ui/card.tsx';
import { Check, SelectField } from '../../ui/field.tsx';
import type { Desk } from './desk.ts';

const policies: Record<ConflictPolicy, string> = {
  update: 'Update it',
  skip: 'Keep it as it is',
  fail: 'Reject the row',
};

export function OptionsCard({ desk }: { desk: Desk }) {
  const { policy, keepsColumns, lenient } = desk.choice;
  return (
    <Card title="Options">
      <SelectField
        label="If a contact already exists"
        value={policy}
        choices={policies}
        onValue={(next) => desk.choose({ policy: next })}
      />
      <fieldset class="field">
        <legend>Values</legend>
        <Check
          label="Keep other columns as attributes"
          hint="Up to 50, named after their headings."
          isOn={keepsColumns}
          onChange={(isOn) => desk.choose({ keepsColumns: isOn })}
        />
        <Check
          label="Skip invalid values"
          hint="Imports the contact without them, instead of rejecting the row."
          isOn={lenient}
          onChange={(isOn) => desk.choose({ lenient: isOn })}
        />
      </fieldset>
    </Card>
  );
}
