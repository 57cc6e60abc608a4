#!/usr/bin/env node
import { run } from './cli/index.ts';

// Databases, backups and rejects hold personal data: nobody but their owner reads what is created here.
process.umask(0o077);
process.exitCode = await run(process.argv.slice(2));
