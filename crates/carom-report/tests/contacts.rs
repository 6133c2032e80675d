//! Impacts, modes and findings survive the disk and stand in the summary.

use crate::common;

use carom_model::{Balance, ContactImpulse, ContactMode, ModeChange};
use carom_report::{ReportError, WriteOptions, read, summary, write};
use common::bounce::bounce;
use common::{Case, folder};
use std::fs;

/// A bounce with everything that a table has to cope with.
fn rich() -> Case {
    let mut case = bounce(300, 0.01);
    let trajectory = &mut case.trajectory;
    // Two contacts at once, with and without friction, in two directions.
    let second = ContactImpulse { contact: 1, surface: 3, normal: 0.5, tangential: vec![0.1, -0.2] };
    trajectory.impacts[0].impulses.push(second);
    trajectory.impacts[1].impulses[0].tangential.clear();
    // A loss and a push along the surface.
    let (kind, push) = ("discrete", vec![0.25, -0.5]);
    trajectory.impacts[1].balance = Balance { kind, energies: (3.0, 2.5), loss: 0.5, push, correction: 1e-3 };
    // A law that relabels, and has no impulse.
    trajectory.impacts[2].impulses.clear();
    trajectory.impacts[2].q_plus = vec![7.0, 8.0];
    let (from, to) = (ContactMode::Sliding, ContactMode::Sticking);
    trajectory.modes.push(ModeChange { t: 2.9, contact: 0, from, to, reason: "slow, \"held\"" });
    case
}

#[test]
fn round_trip_is_exact() {
    let (case, folder) = (rich(), folder("contacts"));
    let files = write(&case.run(), &folder, WriteOptions { csv: true }).unwrap();
    let names: Vec<&str> = files.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
    let tables = ["nodes.parquet", "nodes.csv", "events.parquet", "events.csv", "modes.parquet", "modes.csv"];
    assert_eq!(names[..6], tables);
    assert_eq!(names[6..], ["manifest.json"]);
    let stored = read(&folder).unwrap();
    assert!(case.trajectory.impacts.len() > 6, "{} impacts", case.trajectory.impacts.len());
    assert_eq!(stored.trajectory, case.trajectory);
    assert_eq!(stored.manifest["findings"][0]["contact"], "floor");
    let listed: Vec<&str> =
        stored.manifest["files"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert_eq!(listed, tables);
}

#[test]
fn text_tables_have_names_and_empty_cells() {
    let (case, folder) = (rich(), folder("contacts_csv"));
    write(&case.run(), &folder, WriteOptions { csv: true }).unwrap();
    let lines = |name: &str| -> Vec<String> {
        fs::read_to_string(folder.join(name)).unwrap().lines().map(str::to_owned).collect()
    };
    let header = "event,t,t_low,t_high,contact,surface,law,normal_impulse,tangential_impulse_1,tangential_impulse_2,\
                  energy_minus,energy_change,iterations,jump,jump_energy_minus,jump_energy_plus,\
                  loss,correction,push.x,push.y,q.x,q.y,q_plus.x,q_plus.y,v_minus.x,v_minus.y,\
                  v_plus.x,v_plus.y,p_minus.x,p_minus.y,p_plus.x,p_plus.y";
    let events = lines("events.csv");
    assert_eq!(events[0], header);
    // The first impact has two rows, the third one without a contact.
    assert_eq!(events.len(), case.trajectory.impacts.len() + 2);
    assert!(events[1].starts_with("0,") && events[1].contains(",floor,0,newton,"), "{}", events[1]);
    assert!(events[2].starts_with("0,") && events[2].contains(",wall,3,newton,0.5,0.1,-0.2,"), "{}", events[2]);
    assert!(events[4].starts_with("2,") && events[4].contains(",,0,moreau,,,,"), "{}", events[4]);
    let nodes = lines("nodes.csv");
    assert!(nodes[0].contains("p.y,gap.floor,gap.wall,force.floor,force.wall,energy"), "{}", nodes[0]);
    assert_eq!(lines("modes.csv")[0], "t,contact,from,to,reason");
    assert!(lines("modes.csv")[2].ends_with("2.9,floor,sliding,sticking,\"slow, \"\"held\"\"\""));
}

#[test]
fn hand_made_trajectories_may_leave_out_gaps() {
    let (mut case, folder) = (bounce(20, 0.01), folder("contacts_bare"));
    case.trajectory.gaps.clear();
    case.trajectory.contact_forces.clear();
    case.trajectory.impacts.clear();
    case.trajectory.modes.clear();
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    assert_eq!(read(&folder).unwrap().trajectory, case.trajectory);
}

#[test]
fn a_run_without_contacts_leaves_no_tables_of_contacts() {
    let (mut case, folder) = (bounce(20, 0.01), folder("contacts_gone"));
    write(&case.run(), &folder, WriteOptions { csv: true }).unwrap();
    case.trajectory.contacts.clear();
    case.trajectory.gaps.clear();
    case.trajectory.contact_forces.clear();
    case.trajectory.findings.clear();
    case.trajectory.impacts.clear();
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    assert_eq!(read(&folder).unwrap().trajectory, case.trajectory);
}

#[test]
fn damaged_and_missing_tables_are_told() {
    let (case, folder) = (bounce(100, 0.01), folder("contacts_damaged"));
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    for name in ["events.parquet", "modes.parquet"] {
        let path = folder.join(name);
        let whole = fs::read(&path).unwrap();
        for place in (0..whole.len()).step_by(97) {
            let mut flipped = whole.clone();
            flipped[place] ^= 1 << (place % 8);
            fs::write(&path, flipped).unwrap();
            assert!(matches!(read(&folder), Err(ReportError::Damaged { .. })), "{name} flipped at {place}");
        }
        fs::remove_file(&path).unwrap();
        assert!(matches!(read(&folder), Err(ReportError::MissingFile { file, .. }) if file == name));
        fs::write(&path, whole).unwrap();
    }
    assert!(read(&folder).is_ok());
}

#[test]
fn contacts_that_do_not_exist_are_an_error_at_the_latest_when_read() {
    let (mut case, folder) = (bounce(100, 0.01), folder("contacts_unknown"));
    case.trajectory.impacts[0].impulses[0].contact = 5;
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    let message = read(&folder).unwrap_err().to_string();
    assert!(message.contains("`?` is not one of the contacts floor, wall"), "{message}");
}

#[test]
fn summary_tells_impacts_modes_and_findings() {
    let case = rich();
    let object = summary(&case.run());
    let impacts = &case.trajectory.impacts;
    assert_eq!(object["impact_count"], impacts.len());
    let first = &object["impacts"][0];
    assert_eq!(first["t"], impacts[0].t);
    assert_eq!(first["contacts"], serde_json::json!(["floor", "wall"]));
    assert_eq!(first["impulse"], serde_json::json!([impacts[0].impulses[0].normal, 0.5]));
    assert_eq!(first["tangential_impulse"], serde_json::json!([[0.0], [0.1, -0.2]]));
    assert_eq!(first["bracket"][1], impacts[0].bracket.1);
    assert_eq!(first["v_plus"]["y"], impacts[0].v_plus[1]);
    assert_eq!(first["energy_change"], impacts[0].energy_change);
    assert!(first.get("q_plus").is_none());
    assert_eq!(first["surfaces"], serde_json::json!([0, 3]));
    assert_eq!(first["balance"]["kind"], "pointwise");
    assert!(first["balance"].get("push").is_none());
    // One contact: a number.
    let second = &object["impacts"][1];
    assert_eq!(second["impulse"], impacts[1].impulses[0].normal);
    assert!(second.get("tangential_impulse").is_none());
    assert_eq!(second["balance"]["push"], serde_json::json!({ "x": 0.25, "y": -0.5 }));
    assert_eq!(object["impacts"][2]["q_plus"], serde_json::json!({ "x": 7.0, "y": 8.0 }));
    assert_eq!(object["impacts"][2]["impulse"], serde_json::json!([]));
    let slide = serde_json::json!({
        "t": case.trajectory.modes[0].t, "contact": "floor", "from": "free", "to": "sliding",
        "reason": "it does not rise",
    });
    assert_eq!(object["modes"][0], slide);
    assert_eq!(object["diagnostics"][0]["kind"], "missed-contact");
    assert!(object.get("impacts_omitted").is_none());
}

#[test]
fn very_many_impacts_are_cut_in_the_summary_only() {
    let (mut case, folder) = (bounce(100, 0.01), folder("contacts_many"));
    let one = case.trajectory.impacts[0].clone();
    case.trajectory.impacts = vec![one; 12_345];
    let object = summary(&case.run());
    assert_eq!(object["impacts"].as_array().unwrap().len(), 10_000);
    assert_eq!(object["impacts_omitted"], 2_345);
    assert_eq!(object["impact_count"], 12_345);
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    assert_eq!(read(&folder).unwrap().trajectory, case.trajectory);
}
