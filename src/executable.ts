import { createRequire } from 'node:module';

import { loadModulesFromMemory } from './assets.ts';

// Starts the executable. Node itself cannot import the modules in it, but `require` obeys the hooks.
loadModulesFromMemory();
createRequire(import.meta.url)('./main.js');
