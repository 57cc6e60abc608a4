import { CopyButton } from './copy.tsx';

/** Lines for a shell. */
export function Code({ code }: { code: string }) {
  return (
    <div class="code">
      {/* A long line is scrolled, by keyboard too. */}
      <pre tabIndex={0} role="region" aria-label="Command">
        <code>{code}</code>
      </pre>
      <CopyButton text={code} label="Copy the command" isIcon />
    </div>
  );
}
