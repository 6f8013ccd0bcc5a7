package translog

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// Key signs checkpoints: Ed25519 in the form of signed notes (C2SP signed-note).
type Key struct {
	note.Signer
	// Public is the verifier, as it is published; Private is what is kept secret.
	Public, Private string
}

// Fingerprint is the SHA-256 of the verifier, in hex.
func (k *Key) Fingerprint() string { return Fingerprint(k.Public) }

// Fingerprint is the SHA-256 of a verifier, in hex.
func Fingerprint(public string) string {
	sum := sha256.Sum256([]byte(public))
	return hex.EncodeToString(sum[:])
}

// NewKey makes a key of the name; private is what is kept secret.
func NewKey(random io.Reader, name string) (private string, err error) {
	private, _, err = note.GenerateKey(random, name)
	if err != nil {
		return "", fmt.Errorf("key %q: %w", name, err)
	}
	return private, nil
}

// PrivatePrefix begins a private key of a signed note.
const PrivatePrefix = "PRIVATE+KEY+"

// errKey never quotes what it was given: it may be a secret.
var errKey = errors.New("not a private key of a signed note: it begins with " + PrivatePrefix + " and is made by assay key create")

// ParseKeys reads private keys, one a line, the newest last; lines that begin with # are
// remarks. Keys of one log have one name.
func ParseKeys(text string) (list []Key, err error) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		k, err := parseKey(line)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 && list[0].Name() != k.Name() {
			return nil, fmt.Errorf("the keys have two names, %q and %q: a log has one", list[0].Name(), k.Name())
		}
		list = append(list, k)
	}
	if len(list) == 0 {
		return nil, errKey
	}
	return list, nil
}

// edAlgorithm is the algorithm of a key whose first byte it is (C2SP signed-note: Ed25519).
const edAlgorithm = 1

func parseKey(line string) (Key, error) {
	parts := strings.SplitN(strings.TrimPrefix(line, PrivatePrefix), "+", 3)
	if !strings.HasPrefix(line, PrivatePrefix) || len(parts) != 3 {
		return Key{}, errKey
	}
	seed, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(seed) != 1+ed25519.SeedSize || seed[0] != edAlgorithm {
		return Key{}, errKey
	}
	signer, err := note.NewSigner(line)
	if err != nil {
		return Key{}, errKey
	}
	public := ed25519.NewKeyFromSeed(seed[1:]).Public().(ed25519.PublicKey)
	verifier, err := note.NewEd25519VerifierKey(parts[0], public)
	return Key{Signer: signer, Public: verifier, Private: line}, err
}

// DNS is a public key as a TXT record, for operators who publish it there, too.
func DNS(public string) string {
	host, _, _ := strings.Cut(public, "+")
	host, _, _ = strings.Cut(host, "/")
	host, _, _ = strings.Cut(host, ":")
	return fmt.Sprintf("_assay-log.%s. 3600 IN TXT \"v=assay1; k=%s\"", host, public)
}

// Verifiers reads published keys, one a line.
func Verifiers(text string) (list []note.Verifier, err error) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		v, err := note.NewVerifier(line)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", line, err)
		}
		list = append(list, v)
	}
	return list, nil
}

// SeedKey is the private key of a seed, for registers that only show how it works:
// whoever knows the seed can sign.
func SeedKey(name string, seed [ed25519.SeedSize]byte) (private string, err error) {
	public := ed25519.NewKeyFromSeed(seed[:]).Public().(ed25519.PublicKey)
	verifier, err := note.NewEd25519VerifierKey(name, public)
	if err != nil {
		return "", fmt.Errorf("key %q: %w", name, err)
	}
	hash := strings.SplitN(strings.TrimPrefix(verifier, name), "+", 3)[1]
	return PrivatePrefix + name + "+" + hash + "+" + base64.StdEncoding.EncodeToString(append([]byte{edAlgorithm}, seed[:]...)), nil
}
