import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A commit of this repository, built in a folder of its own. */
export interface Checkout extends Disposable {
  /** The full hash. */
  commit: string;
  /** Its `dist/main.js`. */
  program: string;
}

/** Checks a commit out below `parent` and builds it. With the same package-lock.json it shares this node_modules. */
export function checkOut(commit: string, parent: string): Checkout {
  const folder = join(parent, 'checkout');
  const hash = git('rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`);
  git('worktree', 'add', '--detach', folder, hash);
  const remove = () => {
    // The link first: what it points to stays.
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    git('worktree', 'remove', '--force', folder);
  };
  try {
    if (hasSameDependencies(folder)) symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    else npm(folder, 'ci');
    npm(folder, 'run', 'build');
  } catch (error) {
    remove();
    throw error;
  }
  return { commit: hash, program: join(folder, 'dist', 'main.js'), [Symbol.dispose]: remove };
}

/** This checkout's commit, and whether it has changes beyond it. */
export function thisCheckout(): string {
  return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' with changes');
}

function hasSameDependencies(folder: string): boolean {
  const [theirs, ours] = [folder, '.'].map((one) => readFileSync(join(one, 'package-lock.json'), 'utf8'));
  return theirs === ours;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

function npm(cwd: string, ...args: string[]): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
