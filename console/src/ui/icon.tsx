import * as lucide from 'lucide';
import { createElement } from 'preact';

const icons = {
  account: lucide.CircleUser,
  activity: lucide.Activity,
  chatbots: lucide.Bot,
  check: lucide.Check,
  close: lucide.X,
  code: lucide.CodeXml,
  contacts: lucide.UserRound,
  copy: lucide.Copy,
  down: lucide.ChevronDown,
  device: lucide.Monitor,
  docs: lucide.BookOpen,
  download: lucide.Download,
  duplicates: lucide.CopyX,
  eye: lucide.Eye,
  filter: lucide.ListFilter,
  help: lucide.CircleHelp,
  home: lucide.House,
  import: lucide.FileUp,
  keyboard: lucide.Keyboard,
  keys: lucide.KeyRound,
  leave: lucide.LogOut,
  left: lucide.ChevronLeft,
  mail: lucide.Mail,
  members: lucide.UsersRound,
  moon: lucide.Moon,
  more: lucide.Ellipsis,
  open: lucide.SquareArrowOutUpRight,
  pencil: lucide.Pencil,
  phone: lucide.Phone,
  plus: lucide.Plus,
  project: lucide.Settings2,
  right: lucide.ChevronRight,
  search: lucide.Search,
  security: lucide.ShieldCheck,
  sun: lucide.Sun,
  tag: lucide.Tag,
  trash: lucide.Trash2,
  warning: lucide.TriangleAlert,
  webhooks: lucide.Webhook,
};

export type IconName = keyof typeof icons;

/** A drawing beside a text; it tells nothing by itself. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {icons[name].map(([shape, attributes], key) => createElement(shape, { ...attributes, key }))}
    </svg>
  );
}
