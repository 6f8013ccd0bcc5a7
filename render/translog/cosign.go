package translog

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// cosignAlgorithm is that of timestamped Ed25519 cosignatures (C2SP tlog-cosignature,
// signature type 0x04). sumdb/note has none of its own.
const cosignAlgorithm = 4

// cosignedText is what a witness signs of a checkpoint (C2SP tlog-cosignature).
func cosignedText(at int64, text []byte) []byte {
	return fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", at, text)
}

func cosignHash(name string, public ed25519.PublicKey) uint32 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%c%s", name, cosignAlgorithm, public))
	return binary.BigEndian.Uint32(sum[:])
}

// Cosigner signs, as a witness, that it saw a checkpoint at a time, and none that
// contradicts it.
type Cosigner struct {
	name string
	key  ed25519.PrivateKey
	at   time.Time
}

// NewCosigner makes a witness of a private key of a signed note.
func NewCosigner(private string, at time.Time) (*Cosigner, error) {
	parts := strings.SplitN(strings.TrimPrefix(strings.TrimSpace(private), PrivatePrefix), "+", 3)
	if len(parts) != 3 {
		return nil, errKey
	}
	seed, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(seed) != 1+ed25519.SeedSize || seed[0] != edAlgorithm {
		return nil, errKey
	}
	return &Cosigner{parts[0], ed25519.NewKeyFromSeed(seed[1:]), at}, nil
}

func (c *Cosigner) public() ed25519.PublicKey { return c.key.Public().(ed25519.PublicKey) }

// Name implements note.Signer.
func (c *Cosigner) Name() string { return c.name }

// KeyHash implements note.Signer.
func (c *Cosigner) KeyHash() uint32 { return cosignHash(c.name, c.public()) }

// Sign implements note.Signer: the time in 8 bytes, and the signature.
func (c *Cosigner) Sign(text []byte) ([]byte, error) {
	at := c.at.Unix()
	sig := binary.BigEndian.AppendUint64(nil, uint64(at))
	return append(sig, ed25519.Sign(c.key, cosignedText(at, text))...), nil
}

// Public is the verifier of the witness.
func (c *Cosigner) Public() string {
	encoded := base64.StdEncoding.EncodeToString(append([]byte{cosignAlgorithm}, c.public()...))
	return fmt.Sprintf("%s+%08x+%s", c.name, c.KeyHash(), encoded)
}

var errCosigner = errors.New("not the public key of a witness (C2SP tlog-cosignature)")

// cosignVerifier implements note.Verifier.
type cosignVerifier struct {
	name   string
	public ed25519.PublicKey
}

// CosignVerifier reads the verifier of a witness.
func CosignVerifier(text string) (note.Verifier, error) {
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 {
		return nil, errCosigner
	}
	b, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(b) != 1+ed25519.PublicKeySize || b[0] != cosignAlgorithm {
		return nil, errCosigner
	}
	v := &cosignVerifier{parts[0], b[1:]}
	if fmt.Sprintf("%08x", v.KeyHash()) != parts[1] {
		return nil, errCosigner
	}
	return v, nil
}

// Name implements note.Verifier.
func (v *cosignVerifier) Name() string { return v.name }

// KeyHash implements note.Verifier.
func (v *cosignVerifier) KeyHash() uint32 { return cosignHash(v.name, v.public) }

// Verify implements note.Verifier.
func (v *cosignVerifier) Verify(text, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	at := binary.BigEndian.Uint64(sig)
	return at < 1<<62 && ed25519.Verify(v.public, cosignedText(int64(at), text), sig[8:])
}

// Cosign adds the witness's signature to a note that one of the keys signed.
func Cosign(signed []byte, c *Cosigner, keys ...note.Verifier) ([]byte, error) {
	n, err := note.Open(signed, note.VerifierList(keys...))
	if err != nil {
		return nil, err
	}
	return note.Sign(n, c)
}
