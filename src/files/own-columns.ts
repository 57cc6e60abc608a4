/** The columns that stand before a refused row's own cells; an import leaves them out. */
export const ownColumns: readonly string[] = ['roster_line', 'roster_reason'];
