import { attributeColumns } from '../../../../src/contacts/columns.ts';
import { isAboutSomebody } from '../../../../src/files/headings.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { fields, leftOut, nameOf } from './choice.ts';
import type { Desk } from './desk.ts';
import type { Column, Looked } from './look.ts';

const suggestionsShown = 3;
const about =
  'Columns with a known heading are matched. Choose a field for the others. Columns of the same field are joined.';

/** Which column goes to which field. */
export function ColumnsCard({ looked, desk }: { looked: Looked; desk: Desk }) {
  const { columns, isLacking, suggestions } = looked;
  return (
    <Card title="Columns" about={about}>
      {isLacking && (
        <p class="note note-warn" role="status">
          No column says who a person is. Choose a column for the name, e-mail, phone or id.
        </p>
      )}
      {suggestions.length > 0 && (
        <div class="row" role="group" aria-label="Suggestions">
          {suggestions.slice(0, suggestionsShown).map(({ field, headings }) => (
            <Button key={field} isSmall onClick={() => desk.map(headings, field)}>
              Use {headings.join(' and ')} for {nameOf(field)}
            </Button>
          ))}
        </div>
      )}
      <div class="table-box">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Example</th>
              <th scope="col">Field</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column, place) => (
              <ColumnRow key={place} column={column} desk={desk} />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function ColumnRow({ column: { heading, name, samples, fields: found }, desk }: { column: Column; desk: Desk }) {
  const { choice } = desk;
  const value = choice.fields.get(heading) ?? '';
  const canBeNamed = heading !== '' && !isAboutSomebody(heading);
  const attribute = canBeNamed ? attributeColumns.nameOf(heading) : undefined;
  const isKept = choice.keepsColumns && attribute !== undefined;
  const nowhere = isKept ? `Attribute ${attribute}` : 'Leave out';
  const detected = found.length === 0 ? nowhere : found.map(nameOf).join(', ');
  return (
    <tr>
      <td class="table-main">{name}</td>
      <td data-label="Example" class="soft">
        {samples.join(' · ')}
      </td>
      <td data-label="Field">
        <select
          class="input narrow"
          aria-label={`Field of ${name}`}
          value={value}
          disabled={!canBeNamed}
          onChange={(event) => desk.map([heading], event.currentTarget.value)}
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
