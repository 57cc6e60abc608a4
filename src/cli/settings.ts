import { defaultEnvFile, type EnvFile, noEnvFile, readEnvFile } from '../config/env-file.ts';
import { type EffectiveSetting, examine } from '../config/read-config.ts';
import { nearest } from '../values/nearest.ts';
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
    if (mistakes && file.mistake !== undefined) throw mistakes;
    if (given.json !== true) noteFile(file, effective);
    printResult(effective, given, () => table(effective.map(rowOf), ['setting', 'value', 'from']));
    if (mistakes) throw mistakes;
  },
});

function rowOf({ name, value, source, file }: EffectiveSetting) {
  const shown = value === null ? '(wrong)' : value === '' ? '(empty)' : value;
  return { setting: name, value: shown, from: file === null ? source : `file ${file}` };
}

/** Notes that no file is read, or which of its names look mistyped: the file may serve other programs too. */
function noteFile(file: EnvFile, effective: readonly EffectiveSetting[]): void {
  if (file === noEnvFile) {
    note(`No settings file is read: ${defaultEnvFile} does not exist, and --env-file names no other.`);
  }
  const known = effective.flatMap(({ name }) => [name, `${name}_FILE`]);
  for (const name of Object.keys(file.values)) {
    // Unknown names that begin with ROSTER_ are mistakes.
    const meant = known.includes(name) || name.startsWith('ROSTER_') ? undefined : nearest(name, known);
    if (meant !== undefined) note(`${name} in the file is not a setting (did you mean ${meant}?).`);
  }
}
