import { IconButton } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';

/** Copies a value of which the place has room for a sign only. */
export function CopyIcon({ text, what }: { text: string; what: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast(`${what} copied`),
      () => toast('Your browser does not allow copying here'),
    );
  return <IconButton icon="copy" label={`Copy ${what}`} onClick={() => void copy()} />;
}
