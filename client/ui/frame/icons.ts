/**
 * The icons of the console. Blueprint would include all 700, so the build empties its loaders and
 * exactly these are registered; a missing name draws an empty box. This file has the icons of the
 * frame, its menus and its messages, which are in the first load; an icon used only by screens goes
 * to `screen-icons.ts`, one used only by a row of the menu to `card-icons.ts` (a test checks all).
 */
import { type IconName, type IconPaths, Icons, IconSize } from '@blueprintjs/icons'
import {
  Add,
  ArrowLeft,
  BanCircle,
  BankAccount,
  Bookmark,
  Calendar,
  CaretDown,
  CaretRight,
  Chart,
  Chat,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronUp,
  Clipboard,
  Cog,
  CreditCard,
  Cross,
  Dashboard,
  Disable,
  Document,
  Dot,
  Error,
  Flag,
  Fullscreen,
  Headset,
  Help,
  Home,
  Inbox,
  InfoSign,
  Key,
  Layers,
  LogOut,
  Menu,
  MenuClosed,
  MenuOpen,
  Minimize,
  Moon,
  More,
  Notifications,
  Offline,
  People,
  Person,
  Phone,
  Projects,
  Refresh,
  Search,
  Settings,
  Shield,
  SmallCross,
  Star,
  Tag,
  Tick,
  TickCircle,
  Time,
  TimelineLineChart,
  Translate,
  WarningSign,
} from '@blueprintjs/icons/lib/esm/generated/16px/paths/index.js'

/** Path data by name in PascalCase; `calendar` is `Calendar`, `eye-open` is `EyeOpen`. */
const PATHS: Record<string, IconPaths> = {
  Add,
  ArrowLeft,
  BanCircle,
  BankAccount,
  Bookmark,
  Calendar,
  CaretDown,
  CaretRight,
  Chart,
  Chat,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronUp,
  Clipboard,
  Cog,
  CreditCard,
  Cross,
  Dashboard,
  Disable,
  Document,
  Dot,
  Error,
  Flag,
  Fullscreen,
  Headset,
  Help,
  Home,
  Inbox,
  InfoSign,
  Key,
  Layers,
  LogOut,
  Menu,
  MenuClosed,
  MenuOpen,
  Minimize,
  Moon,
  More,
  Notifications,
  Offline,
  People,
  Person,
  Phone,
  Projects,
  Refresh,
  Search,
  Settings,
  Shield,
  SmallCross,
  Star,
  Tag,
  Tick,
  TickCircle,
  Time,
  TimelineLineChart,
  Translate,
  WarningSign,
}

const registered = new Set<string>()

/** Call once before the first render; afterwards no icon of the frame loads anything. */
export function registerIcons(): Promise<void> {
  return register(byName(PATHS))
}

/** Call before a screen is shown. */
export async function registerScreenIcons(): Promise<void> {
  await register(byName((await import('./screen-icons.ts')).SCREEN_PATHS))
}

/** Call before the cards of the menu's pages are shown. */
export async function registerCardIcons(): Promise<void> {
  await register(byName((await import('./card-icons.ts')).CARD_PATHS))
}

/**
 * An icon named by the server's menu: the name itself when it is registered, else a neutral icon.
 */
export function iconOr(name: string | null | undefined, otherwise: IconName): IconName {
  return name && isRegistered(name) ? name : otherwise
}

function isRegistered(name: string): name is IconName {
  return registered.has(name)
}

async function register(paths: ReadonlyMap<string, IconPaths>): Promise<void> {
  const loader = async (name: IconName): Promise<IconPaths> => paths.get(name) ?? []
  const names = [...paths.keys()] as IconName[]
  // Blueprint has two sizes; the 16 px drawing is used for both (large icons have components of
  // their own).
  await Promise.all([
    Icons.load(names, IconSize.STANDARD, { loader }),
    Icons.load(names, IconSize.LARGE, { loader }),
  ])
  for (const name of names) registered.add(name)
}

function byName(paths: Record<string, IconPaths>): Map<string, IconPaths> {
  return new Map(
    Object.entries(paths).map(([name, path]) => [
      name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase(),
      path,
    ]),
  )
}
