import { useObserved } from '../observed.ts';
import { reach } from '../reach.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Says once for the whole page that the server is away; once in a page. */
export function Away() {
  const { isAway, ask } = useObserved(reach);
  return (
    <div class="away" role="status">
      {isAway && (
        <p class="note note-warn">
          <Icon name="warning" />
          <span>Roster cannot be reached. This page keeps trying.</span>
          <Button isSmall onClick={ask}>
            Retry
          </Button>
        </p>
      )}
    </div>
  );
}
