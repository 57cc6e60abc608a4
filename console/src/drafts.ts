import { useState } from 'preact/hooks';

/** Unsaved texts of editors. They stay in memory until somebody saves or discards them. */
const drafts = new Map<string, string>();

// Asks before the page is closed, which would lose the drafts.
addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});

/** The text of an editor: its draft, or the stored text. `place` names the editor; `settle` forgets what was saved or discarded. */
export function useDraft(place: string, stored: string) {
  const [text, setText] = useState(drafts.get(place) ?? stored);
  const type = (next: string) => {
    setText(next);
    if (next === stored) drafts.delete(place);
    else drafts.set(place, next);
  };
  return { text, type, settle: () => void drafts.delete(place) };
}

export function draftOf(place: string): string | undefined {
  return drafts.get(place);
}

export function hasDraftsIn(place: string): boolean {
  return [...drafts.keys()].some((one) => one.startsWith(`${place}/`));
}

/** Forgets all drafts: the next person may not see them. */
export function forgetDrafts(): void {
  drafts.clear();
}
