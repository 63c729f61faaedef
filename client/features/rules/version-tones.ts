import type { Tone } from '#client/ui/value/StatusTag.tsx'
import type { VERSION_STATES } from '#shared/rules/rule-sets.ts'

export const VERSION_TONES = {
  draft: 'neutral',
  enabled: 'good',
  retired: 'warn',
} satisfies Record<(typeof VERSION_STATES)[number], Tone>
