import type { Command } from 'commander';

import { type EffectiveSetting, examine } from '../config/settings.ts';
import { printResult } from './output.ts';
import { describe, type Flags, jsonOption } from './parts.ts';
import { table } from './table.ts';

export function settingsCommand(parent: Command): void {
  describe(
    parent.command('settings'),
    'show the settings as they are and where each comes from, without user and password',
    ['roster settings', 'DATABASE_URL_FILE=url.txt roster settings --json'],
    { settings: 'all' },
  )
    .addOption(jsonOption())
    .action((flags: Flags) => {
      const { effective, mistakes } = examine(process.env);
      printResult(effective, flags, () => table(effective.map(rowOf), ['setting', 'value', 'from']));
      if (mistakes) throw mistakes;
    });
}

function rowOf({ name, value, source, file }: EffectiveSetting) {
  const shown = value === null ? '(wrong)' : value === '' ? '(empty)' : value;
  return { setting: name, value: shown, from: file === null ? source : `file ${file}` };
}
