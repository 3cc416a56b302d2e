/** Plays two short notes. Synthesised, so the content security policy needs no media source. */
const NOTES_HZ = [880, 1_175];
const NOTE_S = 0.16;

export function playTone(): void {
  const audio = new AudioContext();
  const volume = audio.createGain();
  volume.connect(audio.destination);
  const begin = audio.currentTime;
  volume.gain.setValueAtTime(0.12, begin);
  const end = begin + NOTES_HZ.length * NOTE_S;
  // Fades out: a tone that is cut off clicks.
  volume.gain.setTargetAtTime(0, end - 0.06, 0.02);
  const notes = NOTES_HZ.map((frequency, index) => {
    const note = audio.createOscillator();
    note.frequency.value = frequency;
    note.connect(volume);
    note.start(begin + index * NOTE_S);
    note.stop(begin + (index + 1) * NOTE_S);
    return note;
  });
  notes.at(-1)?.addEventListener('ended', () => void audio.close());
}
