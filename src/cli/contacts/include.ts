import { type Include, includes } from '../../contacts/view.ts';
import type { Flags } from '../parts.ts';

type Shown = Flags<{ include?: Include[] }>;

/** The option `--include`, as `takes` has it; `otherwise` says what is shown without it. */
export function includeFlag(otherwise: string) {
  const says = `what to show beside the eight fields: ${includes.join(', ')}, or all; separated by commas (default: ${otherwise})`;
  return ['--include <names>', says, { all: true }] as const;
}

export const allInText = includeFlag('all; none with --json');

/** Without --include, a person is shown the whole contact, and a program what HTTP answers. */
export function included({ include, json }: Shown): { include?: Include[] } {
  if (include !== undefined) return { include };
  return json === true ? {} : { include: [...includes] };
}
