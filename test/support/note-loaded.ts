import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * For `node --import`: writes the address of every module that is loaded to the file in NOTE_LOADED, a line each,
 * and at the end the names of what Node loaded of its own.
 */
const file = process.env['NOTE_LOADED'] ?? '';
registerHooks({
  load: (url, context, next) => {
    appendFileSync(file, `${url}\n`);
    return next(url, context);
  },
});
process.on('exit', () => appendFileSync(file, String(Reflect.get(process, 'moduleLoadList')).replaceAll(',', '\n')));
