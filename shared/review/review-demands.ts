/** What a reviewer has to do before a pass, because somebody demanded it for that application. */
export const REVIEW_DEMANDS = ['identity', 'call'] as const
export type ReviewDemand = (typeof REVIEW_DEMANDS)[number]

/** Points of the checklist that must be ticked where the identity is demanded. */
export const IDENTITY_POINTS = [
  'livePhoto',
  'panPhoto',
  'aadhaarFront',
  'aadhaarBack',
  'nameMatches',
  'birthdayMatches',
  'faceMatches',
] as const

export function isIdentityChecked(checklist: Readonly<Record<string, boolean>>): boolean {
  return IDENTITY_POINTS.every((point) => checklist[point] === true)
}
