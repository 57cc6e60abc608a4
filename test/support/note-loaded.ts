import { appendFileSync } from 'node:fs';
import module, { syncBuiltinESMExports } from 'node:module';

/**
 * For `node --import`: writes the address of every module that is loaded to the file in NOTE_LOADED, a line each,
 * and at the end the names of what Node loaded of its own.
 */
const file = process.env['NOTE_LOADED'] ?? '';
const { registerHooks } = module;
type Load = NonNullable<Parameters<typeof registerHooks>[0]['load']>;
const noting =
  (load: Load): Load =>
  (url, context, next) => {
    appendFileSync(file, `${url}\n`);
    return load(url, context, next);
  };
registerHooks({ load: noting((url, context, next) => next(url, context)) });
// Hooks of the program answer before ours are asked.
Object.assign(module, {
  registerHooks: ({ load, ...hooks }: Parameters<typeof registerHooks>[0]) =>
    registerHooks({ ...hooks, ...(load && { load: noting(load) }) }),
});
syncBuiltinESMExports();
process.on('exit', () => appendFileSync(file, String(Reflect.get(process, 'moduleLoadList')).replaceAll(',', '\n')));
