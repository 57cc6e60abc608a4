import { createRequire } from 'node:module';

import { loadModulesFromMemory } from './assets.ts';

// The start of the executable, whose modules are among its files. Node imports none itself there, but `require` obeys the hooks.
loadModulesFromMemory();
createRequire(import.meta.url)('./main.js');
