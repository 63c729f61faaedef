import { segmentScreen } from './segment-screen.tsx'

export const Screen = segmentScreen('loan_failed')
