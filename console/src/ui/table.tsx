import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';

import { Menu } from './menu.tsx';

export interface RowDialogProps<Row> {
  row: Row;
  onClose: () => void;
}

type RowDialog<Row> = (props: RowDialogProps<Row>) => VNode;

export interface RowAction<Row> {
  label: string;
  dialog: RowDialog<Row>;
  isDanger?: boolean;
}

interface TableProps<Row> {
  rows: readonly Row[];
  /** The cells below each heading; the first names the row. */
  columns: Record<string, (row: Row) => ComponentChildren>;
  nameOf: (row: Row) => string;
  actionsOf: (row: Row) => readonly (RowAction<Row> | false)[];
}

/** Rows with a menu of actions, each of which opens a dialog. */
export function Table<Row extends { id: string }>({ rows, columns, nameOf, actionsOf }: TableProps<Row>) {
  const [open, setOpen] = useState<{ row: Row; dialog: RowDialog<Row> }>();
  const Opened = open?.dialog;
  const cells = Object.entries(columns);
  return (
    <div class="card card-flush table-box">
      <table class="table">
        <thead>
          <tr>
            {cells.map(([heading]) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {cells.map(([heading, cell], index) => (
                <td key={heading} {...(index === 0 ? { class: 'table-main' } : { 'data-label': heading })}>
                  {cell(row)}
                </td>
              ))}
              <td class="table-end">
                <Menu
                  label={`Actions for ${nameOf(row)}`}
                  items={actionsOf(row)
                    .filter((action) => action !== false)
                    .map(({ label, isDanger = false, dialog }) => ({
                      label,
                      isDanger,
                      run: () => setOpen({ row, dialog }),
                    }))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {open && Opened && <Opened row={open.row} onClose={() => setOpen(undefined)} />}
    </div>
  );
}
