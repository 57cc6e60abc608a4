import { execFileSync } from 'node:child_process';

/** The command line is tested as it is shipped, so it is built first. */
export default function setup(): void {
  execFileSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' });
}
