import { CopyButton } from './copy.tsx';

interface CurlProps {
  /** The title of the lines. */
  title?: string;
  code: string;
}

/** The same by the command line or by HTTP, folded away until it is wanted. */
export function Curl({ title = 'Do the same with curl', code }: CurlProps) {
  return (
    <details class="curl">
      <summary>{title}</summary>
      <Code code={code} />
    </details>
  );
}

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
