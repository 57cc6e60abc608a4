import { isLively } from '../output.ts';
import { progress } from '../progress.ts';

/** A bar for each chatbot, one after the other, on a terminal. */
export function chatbotProgress() {
  let current: { chatbotId: string; bar: ReturnType<typeof progress>; total: number | undefined } | undefined;
  const end = () => current?.bar.end();
  return {
    update: (chatbotId: string, read: number, left: number | undefined) => {
      if (!isLively(process.stderr)) return;
      if (current?.chatbotId !== chatbotId) {
        end();
        const total = left === undefined ? undefined : read + left;
        current = { chatbotId, total, bar: progress(total) };
      }
      current.bar.update(read, left === undefined ? read : Math.max((current.total ?? 0) - left, 0));
    },
    end,
  };
}
