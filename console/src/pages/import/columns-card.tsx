import { attributeColumns } from '../../../../src/contacts/columns.ts';
import { isAboutSomebody } from '../../../../src/files/headings.ts';
import { Button } from '../../ui/button.tsx';
import { type Choice, chosen, fields, leftOut } from './choice.ts';
import type { Column, Looked, Suggestion } from './look.ts';

interface ColumnsProps {
  looked: Looked;
  choice: Choice;
  onChoice: (choice: Choice) => void;
}

const suggestionsShown = 3;

/** Which column goes to which field. */
export function ColumnsCard({ looked, choice, onChoice }: ColumnsProps) {
  const { columns, lacking, suggestions } = looked;
  return (
    <section class="card" aria-labelledby="import-columns">
      <h2 id="import-columns">Columns</h2>
      <p class="soft">
        Columns with a known heading are matched. Choose a field for the others. Columns of the same field are joined.
      </p>
      {lacking.length > 0 && (
        <p class="note note-warn" role="status">
          No column says who a person is. Choose a column for the name, e-mail, phone or id.
        </p>
      )}
      {suggestions.length > 0 && (
        <div class="row" role="group" aria-label="Suggestions">
          {suggestions.slice(0, suggestionsShown).map((one) => (
            <Button key={one.field} isSmall onClick={() => onChoice(taken(choice, one))}>
              Use {one.headings.join(' and ')} for {nameOf(one.field)}
            </Button>
          ))}
        </div>
      )}
      <div class="table-box">
        <table class="table import-columns">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Example</th>
              <th scope="col">Field</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column, place) => (
              <ColumnRow key={place} column={column} choice={choice} onChoice={onChoice} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function ColumnRow({ column, choice, onChoice }: { column: Column } & Pick<ColumnsProps, 'choice' | 'onChoice'>) {
  const { heading, name, samples, fields: found } = column;
  const value = choice.fields.get(heading) ?? '';
  const canBeNamed = heading !== '' && !isAboutSomebody(heading);
  const attribute = canBeNamed ? attributeColumns.nameOf(heading) : undefined;
  const isKept = choice.keepsColumns && attribute !== undefined;
  const nowhere = isKept ? `Attribute ${attribute}` : 'Leave out';
  const detected = found.length === 0 ? nowhere : found.map(nameOf).join(', ');
  return (
    <tr>
      <td class="table-main">{name}</td>
      <td data-label="Example" class="soft import-samples">
        {samples.join(' · ')}
      </td>
      <td data-label="Field">
        <select
          class="input"
          aria-label={`Field of ${name}`}
          value={value}
          disabled={!canBeNamed}
          onChange={(event) => onChoice(chosen(choice, heading, event.currentTarget.value))}
        >
          <option value="">{value === '' ? detected : 'Automatic'}</option>
          {attribute !== undefined && <option value={`attributes.${attribute}`}>Attribute {attribute}</option>}
          {fields.map((field) => (
            <option key={field} value={field}>
              {nameOf(field)}
            </option>
          ))}
          {(value !== '' || detected !== 'Leave out') && <option value={leftOut}>Leave out</option>}
        </select>
      </td>
    </tr>
  );
}

function taken(choice: Choice, { field, headings }: Suggestion): Choice {
  return headings.reduce((next, heading) => chosen(next, heading, field), choice);
}

/** `external id` of `external_id`. */
export function nameOf(field: string): string {
  if (field.startsWith('attributes.')) return `attribute ${field.slice('attributes.'.length)}`;
  return field.replaceAll('_', ' ').replace('email', 'e-mail');
}
