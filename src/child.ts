import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deserialize } from 'node:v8';

import { loadModulesFromMemory, takeProgram } from './assets.ts';

// The start of another process of a running service, which writes the program to its stdin: the files may be of another version by now.
takeProgram(deserialize(readFileSync(0)) as Map<string, Buffer>);
loadModulesFromMemory();
createRequire(import.meta.url)('./main.js');
