import { Button } from '../../ui/button.tsx';
import { Dialog, DialogEnd } from '../../ui/dialog.tsx';
import { labelOf } from './fields.ts';
import type { Conflict } from './saving.ts';
import { fieldsOf, valueIn } from './values.ts';

/** Changes by somebody else while the contact was edited here, and the choice of the value to keep. */
export function ConflictDialog({ was, now, properties, decide }: Conflict) {
  const changed = fieldsOf([was, now]).filter((field) => valueIn(was, field) !== valueIn(now, field));
  const mine = Object.keys(properties).map(labelOf).join(', ');
  return (
    <Dialog title="Somebody changed this contact meanwhile" onClose={() => decide('neither')}>
      <div class="stack table-box">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Was</th>
              <th scope="col">Is now</th>
            </tr>
          </thead>
          <tbody>
            {changed.map((field) => (
              <tr key={field}>
                <td class="table-main">{labelOf(field)}</td>
                <td data-label="Was">{valueIn(was, field) || '—'}</td>
                <td data-label="Is now">{valueIn(now, field) || '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          “Save mine” saves your {mine}. Where you both changed a field, your value replaces theirs. “Keep theirs” drops
          your change. Their other changes stay in both cases.
        </p>
      </div>
      <DialogEnd>
        <Button onClick={() => decide('theirs')}>Keep theirs</Button>
        <Button kind="primary" onClick={() => decide('mine')}>
          Save mine
        </Button>
      </DialogEnd>
    </Dialog>
  );
}
