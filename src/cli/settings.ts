import { defaultEnvFile, type EnvFile, noEnvFile, readEnvFile } from '../config/env-file.ts';
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
    if (given.json !== true) noteFile(file, effective);
    printResult(effective, given, () => table(effective.map(rowOf), ['setting', 'value', 'from']));
    if (mistakes) throw mistakes;
  },
});

function rowOf({ name, value, source, file }: EffectiveSetting) {
  const shown = value === null ? '(wrong)' : value === '' ? '(empty)' : value;
  return { setting: name, value: shown, from: file === null ? source : `file ${file}` };
}

/** Says which file is missing, or which of its names set nothing, as a mistyped one does. */
function noteFile(file: EnvFile, effective: readonly EffectiveSetting[]): void {
  if (file === noEnvFile) {
    note(`No file of settings is read: there is no ${defaultEnvFile}, and --env-file names no other.`);
  }
  const known = new Set(effective.flatMap(({ name }) => [name, `${name}_FILE`]));
  // Unknown names that begin with ROSTER_ are mistakes.
  const others = Object.keys(file.values).filter((name) => !name.startsWith('ROSTER_') && !known.has(name));
  if (others.length > 0) note(`The file has names that are no settings of Roster: ${others.join(', ')}.`);
}
