import { ApiError } from '../api.ts';
import { UnknownPasskey } from '../passkeys.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

const sentences: Record<string, string> = {
  insufficient_scope: 'Your roles do not allow this. Ask the Owner or an Admin.',
  not_found: 'It is not there any more. Somebody may have removed it.',
  precondition_failed: 'Somebody changed this meanwhile. Load it again, and look at their change first.',
  unavailable: 'Roster is not ready at the moment. Try again in a few seconds.',
  internal: 'Something went wrong in Roster. Try again; the log tells more.',
};

/** What went wrong, for people. */
export function messageOf(error: Error): string {
  if (error instanceof UnknownPasskey) return 'Roster does not know this passkey any more. Sign in by a link.';
  if (!(error instanceof ApiError)) return 'Something went wrong in this page. Load it again.';
  if (error.code === 'rate_limited') return `Too many requests. Try again in ${error.retryAfter ?? 60} seconds.`;
  const [first] = error.fieldErrors;
  if (first) return `${first.field}: ${first.message}.`;
  return sentences[error.code] ?? `${error.message}.`;
}

/** Beside what was tried. It is read out when it comes. */
export function ErrorNote({ error }: { error: Error | undefined }) {
  return (
    <div role="alert" class="error-place">
      {error && (
        <p class="note note-danger">
          <Icon name="warning" />
          <span>
            {messageOf(error)}
            {error instanceof ApiError && error.status >= 500 && error.requestId !== null && (
              <span class="note-detail">Request {error.requestId}</span>
            )}
          </span>
        </p>
      )}
    </div>
  );
}

interface FailedProps {
  error: Error;
  retry: () => void;
  /** In place of everything. */
  isWhole?: boolean;
}

/** In place of what could not be loaded. */
export function Failed({ error, retry, isWhole }: FailedProps) {
  const Place = isWhole === true ? 'main' : 'div';
  return (
    <Place class={isWhole === true ? 'whole' : 'failed'}>
      <ErrorNote error={error} />
      <Button onClick={retry}>Try again</Button>
    </Place>
  );
}
