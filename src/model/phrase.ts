/** A piece of a sentence. `untrusted`: an attacker may have chosen some of its characters. */
export interface Phrase {
  text: string;
  untrusted: boolean;
}
