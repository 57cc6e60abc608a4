const paths = {
  contacts: 'M8 8.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 13.5c0-2.5 2.5-4 5.5-4s5.5 1.5 5.5 4',
  import: 'M8 2v7.5M5 6.5l3 3 3-3M2.5 10.5v3h11v-3',
  members:
    'M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 13c0-2.2 2-3.5 4.5-3.5s4.5 1.3 4.5 3.5M11 3.2a2.5 2.5 0 0 1 0 4.6M12.2 9.8c1.5.5 2.3 1.6 2.3 3.2',
  keys: 'M5.5 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM7.7 7.8 13.5 2M11 4.5l2 2',
  chatbots: 'M3 3.5h10v7H8.5L5.5 13v-2.5H3ZM6 7h.01M10 7h.01',
  project: 'M2.5 13.5v-5M6.2 13.5v-8M9.8 13.5v-6M13.5 13.5v-11',
  account:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 8.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM4.5 12.2c.6-1.3 1.9-2 3.5-2s2.9.7 3.5 2',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.7 10.7 14 14',
  plus: 'M8 3v10M3 8h10',
  check: 'M3 8.5 6.5 12 13 4.5',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8Z',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  more: 'M3.5 8.6a.6.6 0 1 0 0-1.2.6.6 0 0 0 0 1.2ZM8 8.6a.6.6 0 1 0 0-1.2.6.6 0 0 0 0 1.2ZM12.5 8.6a.6.6 0 1 0 0-1.2.6.6 0 0 0 0 1.2Z',
  down: 'M4 6l4 4 4-4',
  left: 'M10 4 6 8l4 4',
  right: 'M6 4l4 4-4 4',
  warning: 'M8 2.5 14.5 13.5h-13ZM8 6.5v3M8 11.5h.01',
  download: 'M8 2v7.5M5 6.5l3 3 3-3M2.5 13.5h11',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.6 9.5h6.8L12 4M6.7 7v3.5M9.3 7v3.5',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  filter: 'M2 3.5h12M4.5 8h7M6.5 12.5h3',
  help: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.3 6.3a1.7 1.7 0 1 1 2.4 1.6c-.5.2-.7.6-.7 1.1M8 11.3h.01',
  pencil: 'M2.5 13.5l.7-3.2 7.5-7.5 2.5 2.5-7.5 7.5ZM9 4.5 11.5 7',
  open: 'M9 2.5h4.5V7M13.5 2.5 7.5 8.5M6.5 3.5h-4v10h10v-4',
  leave: 'M9.5 5V2.5h-7v11h7V11M6.5 8h8M12 5.5 14.5 8 12 10.5',
} as const;

export type IconName = keyof typeof paths;

/** A drawing beside a text; it tells nothing by itself. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
