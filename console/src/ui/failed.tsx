import { AppError } from '../../../src/errors.ts';
import { codeOf, RosterError } from '../api.ts';
import { UnknownPasskey } from '../passkeys.ts';
import { Button } from './button.tsx';
import { sentence } from './field.tsx';
import { Icon } from './icon.tsx';
import { Loading } from './loading.tsx';

const sentences: Record<string, string> = {
  insufficient_scope: 'Your roles do not allow this. Ask the Owner or an Admin.',
  not_found: 'This no longer exists. Somebody may have deleted it.',
  merged: 'This contact was merged into another one. Open the one that stays.',
  precondition_failed: 'Somebody else has changed this. Reload to see their change.',
  unreachable: 'Roster cannot be reached. Check your connection.',
  unavailable: 'Roster is not available right now. Retry in a few seconds.',
  internal: 'Something went wrong on the server. The reason is in its log.',
  forbidden_origin: 'The console is not available at this address.',
  outcome_unknown: 'This may or may not have been saved. Reload the page to check.',
  fresh_sign_in_required: 'Confirm it’s you: sign in with a passkey, or with a link from somebody else.',
};

/** Labels of fields that a page may not show beside the message. */
const labels: Record<string, string> = {
  credential: 'This',
  email: 'E-mail address',
  expires_in: 'Expiry',
  name: 'Name',
  project_name: 'Project name',
  roles: 'Roles',
  scopes: 'Scopes',
  visibility: 'Visibility',
};

/** The error message for people. */
export function messageOf(error: Error): string {
  if (error instanceof UnknownPasskey) return 'This passkey was not accepted. Retry, or sign in with a link.';
  // The house's own code reads and writes files in the page.
  if (error instanceof AppError) return error.message;
  const code = codeOf(error);
  if (code === undefined) return 'Something went wrong on this page. Reload it.';
  const { fieldErrors: [first] = [], retryAfter = 60 }: Partial<RosterError> =
    error instanceof RosterError ? error : {};
  if (code === 'rate_limited') return `Too many requests. Retry in ${retryAfter} seconds.`;
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
              <span class="small">Request {error.requestId}</span>
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
    <Place class={isWhole === true ? 'whole stack' : 'failed stack'}>
      <ErrorNote error={error} />
      <Button onClick={retry}>Retry</Button>
    </Place>
  );
}
