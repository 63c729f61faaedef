/** The icons that only screens use: loaded beside the first of them (see `icons.ts`). To use a new one, add its path below. */
import type { IconPaths } from '@blueprintjs/icons'
import {
  Add, ArrowDown, ArrowUp, Changes, Comment, Comparison, Confirm, Delete, Download, Duplicate, Edit, Endorsed, Envelope, Exchange, Export,
  EyeOff, EyeOpen, Filter, FilterRemove, History, Import, Link, List, Lock, Manual, MobilePhone, NewPerson, Pause, Person, Pin, Play,
  Plus, Redo, Reset, RotatePage, Saved, SendTo, Share, Stop, Stopwatch, SwapHorizontal, TakeAction, ThList, TrendingDown, TrendingUp, Undo, Unlock, Upload,
  User, ZoomIn, ZoomOut, ZoomToFit,
} from '@blueprintjs/icons/lib/esm/generated/16px/paths/index.js'

export const SCREEN_PATHS: Record<string, IconPaths> = {
  Add, ArrowDown, ArrowUp, Changes, Comment, Comparison, Confirm, Delete, Download, Duplicate, Edit, Endorsed, Envelope, Exchange, Export,
  EyeOff, EyeOpen, Filter, FilterRemove, History, Import, Link, List, Lock, Manual, MobilePhone, NewPerson, Pause, Person, Pin, Play,
  Plus, Redo, Reset, RotatePage, Saved, SendTo, Share, Stop, Stopwatch, SwapHorizontal, TakeAction, ThList, TrendingDown, TrendingUp, Undo, Unlock, Upload,
  User, ZoomIn, ZoomOut, ZoomToFit,
}
