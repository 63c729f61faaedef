import type { DetailRoute, LoadScreen } from '#client/app/feature.ts'

export const screens: Record<string, LoadScreen> = {}

export const details: Record<string, DetailRoute> = {}
