import { AppError } from '../../../src/errors.ts';
import { codeOf, RosterError } from '../api.ts';
import { UnknownPasskey } from '../passkeys.ts';
import { Button } from './button.tsx';
import { sentence } from './field.tsx';
import { Icon } from './icon.tsx';
import { Loading } from './loading.tsx';

const sentences: Record<string, string> = {
  insufficient_scope: 'Your roles do not allow this. Ask the Owner or an Admin.',
  not_found: 'It is not there any more. Somebody may have removed it.',
  merged: 'This contact was merged into another one. Open the one that stays.',
  precondition_failed: 'Somebody changed this meanwhile. Load it again, and look at their change first.',
  unreachable: 'Roster cannot be reached. Look at the connection.',
  unavailable: 'Roster is not ready at the moment. Try again in a few seconds.',
  internal: 'Something went wrong in Roster. Try again. The operator of Roster finds the reason in the log.',
  forbidden_origin: 'Roster does not serve the console at this address. Ask the operator of Roster for the right one.',
  outcome_unknown: 'Roster cannot tell whether this was saved. Reload the page and look before you try again.',
  fresh_sign_in_required:
    'Confirm that it is you. Sign in with a passkey, or by a link that somebody else made for you.',
};

/** Labels of fields that a page may not show beside the message. */
const labels: Record<string, string> = {
  credential: 'This',
  email: 'E-mail address',
  expires_in: 'Expiry',
  name: 'Name',
  project_name: 'Name of the project',
  roles: 'Roles',
  scopes: 'Scopes',
  visibility: 'Visibility',
};

/** The error message for people. */
export function messageOf(error: Error): string {
  if (error instanceof UnknownPasskey) return 'Roster did not accept this passkey. Try again, or sign in by a link.';
  // The house's own code reads and writes files in the page.
  if (error instanceof AppError) return error.message;
  const code = codeOf(error);
  if (code === undefined) return 'Something went wrong in this page. Load it again.';
  const { fieldErrors: [first] = [], retryAfter = 60 }: Partial<RosterError> =
    error instanceof RosterError ? error : {};
  if (code === 'rate_limited') return `Too many requests. Try again in ${retryAfter} seconds.`;
  if (first) return sentence(`${labels[first.field] ?? ''} ${first.message}.`.trim());
  return sentences[code] ?? `${error.message}.`;
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
            {error instanceof RosterError && error.status >= 500 && error.requestId !== undefined && (
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

/** In place of what is not loaded yet, or could not be. */
export function NotLoaded({ error, retry }: { error: Error | undefined; retry: () => void }) {
  return error ? <Failed error={error} retry={retry} /> : <Loading />;
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
