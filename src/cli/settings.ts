import { defaultEnvFile, noEnvFile, readEnvFile } from '../config/env-file.ts';
import { type EffectiveSetting, examine } from '../config/settings.ts';
import { note, printResult } from './output.ts';
import { command } from './parts.ts';
import { table } from './table.ts';

export const settingsCommand = command('settings', {
  says: 'show the settings as they are and where each comes from, without user and password',
  examples: ['roster settings', 'DATABASE_URL_FILE=url.txt roster settings --json'],
  settings: 'all',
  act: (given) => {
    const file = readEnvFile(process.env);
    const { effective, mistakes } = examine(process.env, file);
    if (given.json !== true && file === noEnvFile) {
      note(`No file of settings is read: there is no ${defaultEnvFile}, and --env-file names no other.`);
    }
    printResult(effective, given, () => table(effective.map(rowOf), ['setting', 'value', 'from']));
    if (mistakes) throw mistakes;
  },
});

function rowOf({ name, value, source, file }: EffectiveSetting) {
  const shown = value === null ? '(wrong)' : value === '' ? '(empty)' : value;
  return { setting: name, value: shown, from: file === null ? source : `file ${file}` };
}
