//! The frame around a batch of records: whatever happens to its bytes is found and told as what it is.
//!
//! It knows bytes. It deliberately knows no file.

use crc32c::crc32c;
use fencepost::file_log::frame::{
    HEADER_BYTES, NoBatch, PAYLOAD_BYTES_MAX, Place, TooLarge, read, write,
};

const PLACE: Place = Place {
    segment: 3,
    offset: 4_096,
    first: 812,
    before: 0xdead_beef,
};
const PAYLOAD: &[u8] = br#"["queue/data",{"kind":"ack","at":5,"task":"a","token":3}]"#;

fn written() -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes, PLACE, 800, 1, PAYLOAD).expect("a small batch");
    bytes
}

#[test]
fn what_is_written_is_read() {
    let bytes = written();
    let batch = read(&bytes, PLACE).expect("it was just written");
    assert_eq!(
        (batch.records, batch.durable, batch.payload),
        (1, 800, PAYLOAD)
    );
    assert_eq!((batch.bytes(), batch.crc), (bytes.len(), crc32c(PAYLOAD)));
    let longer = [&bytes[..], &[7; 100]].concat();
    assert_eq!(
        read(&longer, PLACE),
        Ok(batch),
        "what follows is not its own"
    );
}

/// The checksum is the published one: CRC-32C of "123456789".
#[test]
fn the_checksum_is_crc_32c() {
    assert_eq!(crc32c(b"123456789"), 0xe306_9283);
}

/// Cut at every byte: torn, or nothing at all; never a batch.
#[test]
fn every_cut_is_found() {
    let bytes = written();
    assert_eq!(read(&[], PLACE), Err(NoBatch::End));
    for length in 1..bytes.len() {
        let cut = read(&bytes[..length], PLACE);
        assert!(
            matches!(cut, Err(NoBatch::Torn { has, .. }) if has == length),
            "{length}: {cut:?}"
        );
    }
}

/// Every bit flipped: wrong, and never torn, never the end, never a batch.
#[test]
fn every_flipped_bit_is_found() {
    let bytes = written();
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let read = read(&flipped, PLACE);
        assert!(
            matches!(read, Err(NoBatch::Wrong { .. })),
            "bit {bit}: {read:?}"
        );
    }
}

/// A batch that was written for another place is whole, and wrong here.
#[test]
fn a_batch_of_another_place_is_found() {
    let bytes = written();
    let others = [
        (
            Place {
                segment: 4,
                ..PLACE
            },
            "the batch's segment: expected 4, found 3",
        ),
        (
            Place { offset: 0, ..PLACE },
            "the batch's own offset: expected 0, found 4096",
        ),
        (
            Place {
                first: 813,
                ..PLACE
            },
            "the batch's first record: expected 813, found 812",
        ),
        (
            Place { before: 1, ..PLACE },
            "the checksum of the batch before: expected 1, found 3735928559",
        ),
    ];
    for (place, words) in others {
        assert_eq!(
            read(&bytes, place).expect_err("not its place").to_string(),
            words
        );
    }
}

/// Zeros after the end are the end, however many.
#[test]
fn zeros_are_the_end() {
    for length in [1, HEADER_BYTES - 1, HEADER_BYTES, 65_536] {
        assert_eq!(read(&vec![0; length], PLACE), Err(NoBatch::End), "{length}");
    }
}

/// A length that was never written is not believed, so nothing is allocated nor skipped for it.
#[test]
fn a_damaged_length_is_not_believed() {
    let mut bytes = written();
    bytes[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
    let what = read(&bytes, PLACE).expect_err("damaged").to_string();
    assert!(what.starts_with("the header's checksum: "), "{what}");
}

#[test]
fn a_batch_that_is_too_large_is_refused_whole() {
    let mut out = Vec::new();
    let error = write(&mut out, PLACE, 0, 1, &vec![1; PAYLOAD_BYTES_MAX + 1]);
    assert_eq!(
        error,
        Err(TooLarge {
            bytes: PAYLOAD_BYTES_MAX + 1
        })
    );
    assert!(out.is_empty());
}
