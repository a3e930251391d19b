/** The sounds of a table, made in the browser so that none are loaded, and a short vibration on phones. */
import { preferences } from '../preferences.svelte'

export type Sound = 'cards' | 'chips' | 'turn' | 'win' | 'alert'

type Note = { hertz: number; at: number; lasts: number; wave: OscillatorType; loud: number }

const NOTES: Record<Exclude<Sound, 'cards'>, Note[]> = {
  chips: [
    { hertz: 3100, at: 0, lasts: 0.05, wave: 'triangle', loud: 0.5 },
    { hertz: 3900, at: 0.05, lasts: 0.06, wave: 'triangle', loud: 0.4 },
  ],
  turn: [{ hertz: 660, at: 0, lasts: 0.22, wave: 'sine', loud: 0.6 }],
  alert: [880, 660, 880].map((hertz, at) => ({ hertz, at: at * 0.16, lasts: 0.2, wave: 'square', loud: 0.35 })),
  win: [523, 659, 784].map((hertz, at) => ({ hertz, at: at * 0.11, lasts: 0.26, wave: 'triangle', loud: 0.5 })),
}
const PULSES_MS: Partial<Record<Sound, number[]>> = { turn: [40], alert: [80, 60, 80], win: [30, 60, 30] }
const SLIDE_S = 0.08
let audio: AudioContext | null = null

/** Play a sound as loud as the user chose, and vibrate where that is wanted. */
export function play(sound: Sound): void {
  const pulses = PULSES_MS[sound]
  if (preferences.haptics && pulses) navigator.vibrate?.(pulses)
  if (!preferences.volume) return
  audio ??= new AudioContext()
  if (audio.state === 'suspended') void audio.resume()
  const out = audio.createGain()
  out.gain.value = (preferences.volume / 100) ** 2 // loudness is heard by its logarithm
  out.connect(audio.destination)
  if (sound === 'cards') slide(audio, out)
  else for (const note of NOTES[sound]) ring(audio, out, note)
}

function ring(audio: AudioContext, out: AudioNode, { hertz, at, lasts, wave, loud }: Note): void {
  const start = audio.currentTime + at
  const tone = new OscillatorNode(audio, { type: wave, frequency: hertz })
  const fading = new GainNode(audio, { gain: 0 })
  fading.gain.setValueAtTime(loud, start)
  fading.gain.exponentialRampToValueAtTime(0.001, start + lasts)
  tone.connect(fading).connect(out)
  tone.start(start)
  tone.stop(start + lasts)
}

/** A card on cloth: a short rush of filtered noise. */
function slide(audio: AudioContext, out: AudioNode): void {
  const noise = audio.createBuffer(1, Math.ceil(audio.sampleRate * SLIDE_S), audio.sampleRate)
  const samples = noise.getChannelData(0)
  for (let at = 0; at < samples.length; at++) samples[at] = (Math.random() * 2 - 1) * (1 - at / samples.length) ** 2
  const rush = new AudioBufferSourceNode(audio, { buffer: noise })
  rush.connect(new BiquadFilterNode(audio, { type: 'bandpass', frequency: 2400, Q: 0.8 })).connect(out)
  rush.start()
}
