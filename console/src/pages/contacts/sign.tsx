import { Icon } from '../../ui/icon.tsx';
import { hueOf, initialsOf, type Person } from './person.ts';

/** The round sign before a name: it says nothing that the name does not. */
export function Sign({ person }: { person: Pick<Person, 'id' | 'name' | 'company'> }) {
  return (
    <span class="sign" style={{ '--hue': hueOf(person.id) }} aria-hidden="true">
      {initialsOf(person) || <Icon name="contacts" />}
    </span>
  );
}
