import type { listMemberAccess } from '../../src/sign-in/access.ts';
import type { listPasskeys } from '../../src/sign-in/passkeys.ts';
import type { listSessions, retrieveSession } from '../../src/sign-in/sessions.ts';

export type * from '@roster/client/generated/types.ts';
export type { WholeMember as Member } from '@roster/client/generated/types.ts';
export type { ApiKey as Key } from '../../src/api-keys/api-key.ts';
export type { Link } from '../../src/members/invitation.ts';

type OutputOf<Operation extends { readonly example?: unknown }> = NonNullable<Operation['example']>;

export type Session = OutputOf<typeof retrieveSession>;
export type OpenSession = OutputOf<typeof listSessions>['sessions'][number];
export type Access = OutputOf<typeof listMemberAccess>['access'][number];
export type Passkey = OutputOf<typeof listPasskeys>['passkeys'][number];
