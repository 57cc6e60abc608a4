import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deserialize } from 'node:v8';

import { loadModulesFromMemory, takeProgram } from './assets.ts';

// Starts a child process of a running service, which sends the program on stdin: the files may be of another version by now.
takeProgram(deserialize(readFileSync(0)) as Map<string, Buffer>);
loadModulesFromMemory();
createRequire(import.meta.url)('./main.js');
