import { type EffectiveSetting, examine } from '../config/settings.ts';
import { printResult } from './output.ts';
import { command } from './parts.ts';
import { table } from './table.ts';

export const settingsCommand = command('settings', {
  says: 'show the settings as they are and where each comes from, without user and password',
  examples: ['roster settings', 'DATABASE_URL_FILE=url.txt roster settings --json'],
  settings: 'all',
  act: (given) => {
    const { effective, mistakes } = examine(process.env);
    printResult(effective, given, () => table(effective.map(rowOf), ['setting', 'value', 'from']));
    if (mistakes) throw mistakes;
  },
});

function rowOf({ name, value, source, file }: EffectiveSetting) {
  const shown = value === null ? '(wrong)' : value === '' ? '(empty)' : value;
  return { setting: name, value: shown, from: file === null ? source : `file ${file}` };
}
