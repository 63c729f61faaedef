/** Presence as the socket sends it, validated: malformed presence must not break a screen. */
import { PRESENCE_STATES, type PresenceMember } from '#shared/kernel/live.ts'

export const NOBODY: readonly PresenceMember[] = []

/** Members in an acknowledgement of `watch`. */
export function membersFrom(data: unknown): readonly PresenceMember[] {
  const members = Array.isArray(data) ? data : (data as { members?: unknown } | null)?.members
  return Array.isArray(members) ? members.filter(isMember) : NOBODY
}

/** A push: the current members of one watched object. */
export function presenceFrom(
  news: unknown,
): { watch: string; members: readonly PresenceMember[] } | null {
  const { watch } = (news ?? {}) as { watch?: unknown }
  return typeof watch === 'string' ? { watch, members: membersFrom(news) } : null
}

function isMember(value: unknown): value is PresenceMember {
  const member = value as Partial<PresenceMember> | null
  return (
    typeof member?.userId === 'string' &&
    typeof member.userName === 'string' &&
    PRESENCE_STATES.some((s) => s === member.state)
  )
}
