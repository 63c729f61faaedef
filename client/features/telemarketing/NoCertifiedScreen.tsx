import { segmentScreen } from './segment-screen.tsx'

export const Screen = segmentScreen('no_certified')
