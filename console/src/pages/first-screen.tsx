import { useLocation } from 'preact-iso';
import { useLayoutEffect } from 'preact/hooks';

import { screens } from '../layout/screens.ts';
import { useSession } from '../session.tsx';

/** `/console` itself: goes to the first screen that the rights allow. */
export function FirstScreen() {
  const { route } = useLocation();
  const { can } = useSession();
  const first = screens.find(({ right }) => right === undefined || can(right));
  useLayoutEffect(() => route(first?.path ?? '/console/account', true), [route, first]);
  return null;
}
